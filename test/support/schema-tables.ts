import { testedKind } from './database.ts'

/** A column of a table. */
export interface Column {
  name: string
  type: string
  isNeeded: boolean
}

/** The columns of each table of a Prisma schema. */
export const tablesIn = (schema: string): Map<string, Column[]> => {
  const models = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)]
  const names = new Set(models.map(([, table]) => table))
  return new Map(
    models.map(([, table = '', body = '']) => [
      table,
      [...body.matchAll(/^ {2}(\w+) +(\w+)(\?|\[\])?(.*)$/gm)]
        .filter(([, , type = '']) => !names.has(type))
        .map(([, name = '', type = '', mark, rest = '']) => ({
          name,
          type,
          isNeeded: mark === undefined && !rest.includes('@default'),
        })),
    ]),
  )
}

/** A time as an SQL literal. */
export const timeLiteral = (time: Date): string =>
  `'${time.toISOString().replace('Z', testedKind === 'sqlite' ? '+00:00' : '')}'`
