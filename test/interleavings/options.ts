import { parseArgs } from 'node:util'

export type ExploreCommand =
  | { kind: 'explore'; faults: number; seconds: number }
  | { kind: 'mutations'; seconds: number }
  | { kind: 'help' }
  | { kind: 'mistake'; sentence: string }

const usualSeconds = 120

/** Reads the arguments after `npm run explore --`. */
export const commandOf = (args: string[]): ExploreCommand => {
  try {
    const { values } = parseArgs({
      args,
      options: {
        faults: { type: 'string' },
        seconds: { type: 'string' },
        mutations: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) return { kind: 'help' }
    for (const [name, text] of Object.entries(values))
      if (typeof text === 'string' && !/^\d{1,6}$/.test(text))
        return { kind: 'mistake', sentence: `--${name} must be a whole number, not ${text}` }
    const seconds = Number(values.seconds ?? usualSeconds)
    if (values.mutations) return { kind: 'mutations', seconds }
    return { kind: 'explore', faults: Number(values.faults ?? 1), seconds }
  } catch (error) {
    return { kind: 'mistake', sentence: error instanceof Error ? error.message : String(error) }
  }
}
