/**
 * How many examples a property is tried with. `.ci/run`, which sets `CI`, tries them all; a run before that tries a
 * tenth, but five at least.
 */
export const runs = (all: number): number => (process.env.CI ? all : Math.max(5, Math.ceil(all / 10)))
