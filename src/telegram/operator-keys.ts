import type { OperatorAct } from './buttons/operator.ts'
import { type Key, key } from './screen.ts'
import { labels } from './texts/labels.ts'
import { operatorLabels } from './texts/operator.ts'

/** What the screens of operators have in common. */

export const operatorKey = (label: string, act: OperatorAct): Key => key(label, { do: 'operator', act })

export const overviewKey = key(operatorLabels.overview, { do: 'admin' })

/** What a page of a list shows at most: a button each, in one row. */
export const perPage = 5

/** A page of what was found, for which one more than a page was read. */
export const pageOf = <T>(found: T[]): T[] => found.slice(0, perPage)

/** `◀` and `▶` as far as there is something there. */
export const pagingKeys = (
  page: number,
  found: readonly unknown[],
  to: (page: number) => OperatorAct,
): Key[] => [
  ...(page > 0 ? [operatorKey(labels.previous, to(page - 1))] : []),
  ...(found.length > perPage ? [operatorKey(labels.next, to(page + 1))] : []),
]
