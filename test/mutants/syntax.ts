import { parseAst } from 'vitest/node'

/** A node of a syntax tree. Its positions are those of the string that was parsed. */
export interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value

/** The tree of a TypeScript source. @throws where it is none */
export const parse = (source: string): Node => {
  const program: unknown = parseAst(source, { lang: 'ts' })
  if (!isNode(program)) throw new TypeError('The parser answers with something else than a tree.')
  return program
}

export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
