/**
 * Cuts values into lists of at most `size`, in the same order. A query takes only a limited number of parameters, and
 * committing a longer list would delay all other commits.
 */
export const batchesOf = <T>(values: readonly T[], size = 500): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )
