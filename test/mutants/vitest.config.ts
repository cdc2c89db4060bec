import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.ts'

const { projects: _, ...test } = usual.test ?? {}

/** On SQLite, as one project: with several, `dir` does not choose a folder. */
export default defineConfig({ test: { ...test, env: { TESTED_DATABASE: 'sqlite' } } })
