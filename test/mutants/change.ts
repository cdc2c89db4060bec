import { isNode, type Node } from './syntax.ts'

/** A piece of a source, and what else could stand there. */
export interface Change {
  start: number
  end: number
  after: string
}

const otherOperators: Record<string, readonly string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '||=': ['&&=', '='],
  '&&=': ['||=', '='],
  '??=': ['='],
}

/** Every change of the operator or constant that the node itself is; none for other nodes. */
export const changesOf = (node: Node, source: string): Change[] => {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return ofOperator(node, source)
    case 'UnaryExpression':
      return ofSign(node)
    case 'UpdateExpression':
      return ofStep(node)
    case 'Literal':
      return otherValues(node.value).map((after) => ({ start: node.start, end: node.end, after }))
    default:
      return []
  }
}

const ofOperator = ({ left, right, operator }: Node, source: string): Change[] => {
  if (!isNode(left) || !isNode(right) || typeof operator !== 'string') return []
  if (operator === '??') {
    return [
      { start: left.end, end: right.end, after: '' },
      { start: left.start, end: right.start, after: '' },
    ]
  }
  if (operator === '+' && (isText(left) || isText(right))) return []
  const start = source.indexOf(operator, left.end)
  const others = otherOperators[operator] ?? []
  return others.map((after) => ({ start, end: start + operator.length, after }))
}

const isText = ({ type, value }: Node): boolean => type === 'TemplateLiteral' || typeof value === 'string'

const ofSign = ({ operator, start, argument }: Node): Change[] =>
  isNode(argument) && (operator === '!' || operator === '-')
    ? [{ start, end: argument.start, after: '' }]
    : []

const ofStep = ({ operator, prefix, start, end }: Node): Change[] => {
  const at = prefix ? start : end - 2
  return [{ start: at, end: at + 2, after: operator === '++' ? '--' : '++' }]
}

/** One more of a larger number, such as of 30,000 ms, makes no difference that anyone would see. */
const largestCount = 100

const otherValues = (value: unknown): string[] => {
  if (typeof value === 'boolean') return [String(!value)]
  if (typeof value !== 'number') return []
  const isCount = Number.isInteger(value) && value <= largestCount
  const others = isCount ? [value + 1, value - 1, 0] : [value * 2, 0]
  return [...new Set(others)].filter((other) => other !== value).map(written)
}

/** In brackets below zero: it may follow another sign. */
const written = (value: number): string => (value < 0 ? `(${value})` : String(value))
