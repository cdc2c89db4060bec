import { maintenanceFact, networksFact } from './chats.ts'

const names = [maintenanceFact, networksFact]

/** The facts that hold the operators' switches, as columns of a query. */
export const switchColumns = names
  .map((name) => `(SELECT "value" FROM "Fact" WHERE "name" = '${name}') AS "${name}"`)
  .join(', ')

/** Takes these columns' cells, which come next in a row. @returns the facts that there are, by name. */
export const switchesIn = (cells: Iterator<unknown>): ReadonlyMap<string, string> =>
  new Map(
    names.flatMap((name): [string, string][] => {
      const { value } = cells.next()
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
