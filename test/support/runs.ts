/**
 * How many examples a property is tested with: all of them in `.ci/run`, which sets `CI`, otherwise a tenth of them but
 * at least five.
 */
export const runs = (all: number): number => (process.env.CI ? all : Math.max(5, Math.ceil(all / 10)))
