import { spawnSync } from 'node:child_process'

/** The result of `npm audit --json`. */
export type Verdict =
  | { kind: 'clean'; packages: number }
  /** One line for each package, with what is wrong with it. */
  | { kind: 'vulnerable'; lines: string[] }
  /** The registry has no list of vulnerabilities, or could not be asked. */
  | { kind: 'unknown'; reason: string }

interface Report {
  auditReportVersion?: number
  vulnerabilities?: Record<
    string,
    { severity: string; range: string; via: (string | { title: string; url: string })[] }
  >
  metadata?: { dependencies?: { total?: number } }
  message?: string
  error?: { code?: string; summary?: string }
}

const grave = ['high', 'critical']

/** @param json npm's output */
export const verdictOf = (json: string): Verdict => {
  const report = reportOf(json)
  if (report?.vulnerabilities === undefined || report.auditReportVersion === undefined) {
    const { code, summary } = report?.error ?? {}
    return {
      kind: 'unknown',
      reason: summary || report?.message || code || 'it answered nothing that can be read',
    }
  }
  const found = Object.entries(report.vulnerabilities).filter(([, { severity }]) => grave.includes(severity))
  if (found.length === 0) return { kind: 'clean', packages: report.metadata?.dependencies?.total ?? 0 }
  return {
    kind: 'vulnerable',
    lines: found.map(([name, { severity, range, via }]) => {
      const reasons = via.map((each) =>
        typeof each === 'string' ? `by ${each}` : `${each.title} ${each.url}`,
      )
      return `${name} ${range}: ${severity}: ${reasons.join('; ')}`
    }),
  }
}

const reportOf = (json: string): Report | null => {
  try {
    return JSON.parse(json) as Report | null
  } catch {
    return null
  }
}

/** Sends the names and versions in the lock file to the registry. */
const run = (): number => {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', timeout: 120_000 })
  const verdict = verdictOf(stdout ?? '')
  switch (verdict.kind) {
    case 'clean':
      process.stdout.write(`No grave vulnerability is known in ${verdict.packages} packages.\n`)
      return 0
    case 'unknown':
      process.stdout.write(
        `The packages were not audited, for the registry does not do that here: ${verdict.reason}\n`,
      )
      return 0
    case 'vulnerable':
      process.stdout.write(`${verdict.lines.join('\n')}\n`)
      return 1
  }
}

const help = `npm run audit

Sends the names and versions of the lock file to the registry and prints what is known to be vulnerable.`

if (import.meta.main) {
  if (process.argv.includes('--help')) process.stdout.write(`${help}\n`)
  else process.exitCode = run()
}
