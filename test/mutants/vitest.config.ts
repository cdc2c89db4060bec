import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.ts'

const { projects: _, ...test } = usual.test ?? {}

/** Runs the tests on SQLite in a single project, because with several projects `dir` does not choose a folder. */
export default defineConfig({ test: { ...test, env: { TESTED_DATABASE: 'sqlite' } } })
