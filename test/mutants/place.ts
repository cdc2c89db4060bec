import { type Change, changesOf } from './change.ts'
import type { Mutant } from './mutant.ts'
import { childrenOf, isNode, type Node, parse } from './syntax.ts'

/** An operator or constant of a file, as the mutants that it allows: at least one. */
export type Place = readonly Mutant[]

/** All operators and constants that decide something, in the order of the source. */
export const placesOf = (file: string, source: string): Place[] => {
  const lines = new Lines(source)
  return decisive(parse(source))
    .map((node) => changesOf(node, source))
    .filter((changes) => changes.length > 0)
    .map((changes) => changes.map((change) => mutantOf(file, source, lines, change)))
}

const mutantOf = (file: string, source: string, lines: Lines, { start, end, after }: Change): Mutant => ({
  number: 0,
  file,
  ...lines.at(start),
  start,
  before: source.slice(start, end),
  after,
})

/** The nodes that are run: no types, no imports, no keys, and nothing that makes a difference to the log alone. */
const decisive = (node: Node): Node[] => {
  if (node.type.startsWith('TS')) return isNode(node.expression) ? decisive(node.expression) : []
  if (node.type === 'ImportDeclaration' || isLogging(node)) return []
  const skipped = node.type === 'Property' && !node.computed && !node.shorthand ? node.key : null
  return [
    node,
    ...childrenOf(node)
      .filter((child) => child !== skipped)
      .flatMap(decisive),
  ]
}

const isLogging = (node: Node): boolean => {
  const { type, expression, callee, consequent, alternate } = node
  switch (type) {
    case 'CallExpression':
      return isNode(callee) && isNode(callee.object) && isLog(callee.object)
    case 'ExpressionStatement':
      return isNode(expression) && isLogging(expression)
    case 'BlockStatement':
      return childrenOf(node).length > 0 && childrenOf(node).every(isLogging)
    case 'IfStatement':
      return isNode(consequent) && isLogging(consequent) && (!isNode(alternate) || isLogging(alternate))
    default:
      return false
  }
}

const isLog = ({ name, property }: Node): boolean =>
  name === 'log' || (isNode(property) && property.name === 'log')

class Lines {
  readonly #lines: readonly string[]

  constructor(source: string) {
    this.#lines = source.split('\n')
  }

  /** @param position in the source */
  at(position: number): { line: number; column: number; text: string } {
    let begin = 0
    for (const [index, text] of this.#lines.entries()) {
      if (position <= begin + text.length) {
        return { line: index + 1, column: position - begin + 1, text: text.trim() }
      }
      begin += text.length + 1
    }
    throw new RangeError(`There is no position ${position}.`)
  }
}
