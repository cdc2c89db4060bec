import { parseArgs } from 'node:util'

export type MutantsCommand =
  | {
      kind: 'run'
      seed: number
      count: number
      minutes: number
      /** Files or folders, from the root. */
      only: readonly string[]
      /** Numbers of the mutants that are meant; empty: all. */
      these: readonly number[]
      from: string | undefined
      json: string | undefined
      list: boolean
    }
  | { kind: 'help' }
  | { kind: 'mistake'; sentence: string }

/** The code that decides about money, orders and secrets. */
export const usualFolders = ['src/orders', 'src/accounts', 'src/relay', 'src/lists']

/** What the arguments after `npm run mutants --` ask for. */
export const commandOf = (args: string[]): MutantsCommand => {
  const parsed = parse(args)
  if (typeof parsed === 'string') return { kind: 'mistake', sentence: parsed }
  if (parsed.help) return { kind: 'help' }
  const numbers = { seed: 1, count: 60, minutes: 30 }
  for (const name of ['seed', 'count', 'minutes'] as const) {
    const text = parsed[name]
    if (text === undefined) continue
    if (!isNumber(text)) {
      return { kind: 'mistake', sentence: `--${name} takes a whole number from 1, not ${text}` }
    }
    numbers[name] = Number(text)
  }
  const these = parsed.these?.split(',') ?? []
  if (!these.every(isNumber)) {
    return { kind: 'mistake', sentence: `--these takes numbers such as 3,17, not ${parsed.these}` }
  }
  return {
    kind: 'run',
    ...numbers,
    only: parsed.only ?? usualFolders,
    these: these.map(Number),
    from: parsed.from,
    json: parsed.json,
    list: parsed.list ?? false,
  }
}

const isNumber = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)

/** @returns the options, or the sentence that says what is wrong with them */
const parse = (args: string[]) => {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: 'string' },
        count: { type: 'string' },
        minutes: { type: 'string' },
        only: { type: 'string', multiple: true },
        these: { type: 'string' },
        from: { type: 'string' },
        json: { type: 'string' },
        list: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
