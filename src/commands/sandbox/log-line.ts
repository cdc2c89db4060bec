interface LogLine {
  /** Whether to show the line even without `--verbose`: a warning, an error, or a line that is not from the log. */
  matters: boolean
  text: string
}

const levels: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

/** Fields that every line has and nobody needs to read. */
const plumbing = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'v'])

/**
 * Turns one JSON line of pino into one short line with the time, level, message and other fields. Any other line is
 * returned unchanged.
 */
export function readable(line: string): LogLine {
  const entry = entryOf(line)
  if (!entry) return { matters: true, text: line }
  const level = typeof entry.level === 'number' ? entry.level : 30
  const name = (levels[level] ?? String(level)).padEnd(5)
  const rest = Object.entries(entry).filter(([key]) => !plumbing.has(key))
  const details = rest.map(([key, value]) => `${key}=${short(value)}`).join(' ')
  const text = [clockOf(entry.time), name, entry.msg, details].filter(Boolean).join(' ')
  return { matters: level >= 40, text }
}

function entryOf(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null && 'level' in entry ? { ...entry } : null
  } catch {
    return null
  }
}

function clockOf(time: unknown): string {
  const date = typeof time === 'number' || typeof time === 'string' ? new Date(time) : null
  return date && !Number.isNaN(date.getTime()) ? date.toTimeString().slice(0, 8) : ''
}

/** Only the message of an error, because its stack would take more than one line. */
function short(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  if ('message' in value) return JSON.stringify(value.message)
  return JSON.stringify(value)
}
