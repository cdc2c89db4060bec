/** A bot that the file of `BOTS_FILE` lists. */
export interface ListedBot {
  token: string
  /** Its own operators. */
  ownerIds: readonly number[]
}

/** A line that cannot be read. `problem` never holds what stands there. */
interface LineFault {
  line: number
  problem: string
}

const form = /^(\d{1,15}):[\w-]{20,}$/

/**
 * Reads a list of bots: on each line a token, and behind it, with commas, the user ids of the bot's own operators. Empty
 * lines, and lines that begin with `#`, say nothing.
 */
export const readBotsFile = (text: string): { bots: ListedBot[] } | { faults: LineFault[] } => {
  const bots: ListedBot[] = []
  const faults: LineFault[] = []
  const seen = new Set<string>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [token = '', ...owners] = line.split(',').map((part) => part.trim())
    if (token === '' || token.startsWith('#')) continue
    const id = form.exec(token)?.[1]
    const problem =
      id === undefined
        ? 'is no token of the form <digits>:<letters and digits>'
        : seen.has(id)
          ? 'is about a bot that stands above'
          : owners.every((owner) => /^\d{1,15}$/.test(owner))
            ? null
            : 'has something else than user ids behind the token'
    if (problem !== null) faults.push({ line: index + 1, problem })
    seen.add(id ?? '')
    bots.push({ token, ownerIds: owners.map(Number) })
  }
  return faults.length > 0 ? { faults } : { bots }
}
