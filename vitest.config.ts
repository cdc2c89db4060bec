import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Most files wait for processes, sockets and clocks rather than compute, so more run at once than there are cores.
    maxWorkers: 4,
    // So do the concurrent tests of one file.
    maxConcurrency: 14,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
})
