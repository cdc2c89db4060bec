import { dirname, join } from 'node:path/posix'
import { isNode, type Node, parse } from './syntax.ts'

/** What each file of the project loads, by names from its root. */
export type Imports = ReadonlyMap<string, readonly string[]>

/** @param file its name from the root; types that it imports are not loaded */
export const importsOf = (file: string, source: string): string[] => {
  const { body } = parse(source)
  if (!Array.isArray(body)) return []
  return body.filter(isNode).flatMap((statement) => {
    const from = loadedBy(statement)
    return from?.startsWith('.') ? [join(dirname(file), from)] : []
  })
}

const loadedBy = ({ source, importKind, exportKind }: Node): string | null => {
  if (importKind === 'type' || exportKind === 'type') return null
  return isNode(source) && typeof source.value === 'string' ? source.value : null
}

/** How many imports lead from a file to each of those that it loads, by the shortest way. */
export const distancesFrom = (file: string, imports: Imports): ReadonlyMap<string, number> => {
  const distances = new Map([[file, 0]])
  for (const [near, distance] of distances) {
    for (const next of imports.get(near) ?? []) {
      if (!distances.has(next)) distances.set(next, distance + 1)
    }
  }
  return distances
}
