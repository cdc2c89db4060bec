/**
 * Cuts values into lists of at most `size`, keeping their order. A query takes a limited number of parameters, and a
 * commit of a longer list would hold up all others.
 */
export const batchesOf = <T>(values: readonly T[], size = 500): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )
