import type { Family, Sample } from './counting.ts'

/** Metrics in the text format of Prometheus, version 0.0.4. */
export const exposition = (families: readonly Family[]): string => families.map(familyText).join('\n')

const familyText = ({ name, help, type, samples }: Family): string =>
  [
    `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
    `# TYPE ${name} ${type}`,
    ...samples.map((sample) => sampleText(name, sample)),
    '',
  ].join('\n')

const sampleText = (name: string, { suffix, labels, value }: Sample): string => {
  const pairs = Object.entries(labels).map(([label, content]) => `${label}="${escaped(String(content))}"`)
  return `${name}${suffix ?? ''}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${number(value)}`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const number = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
