// Before the first TypeScript is read: what the cache holds needs no stripping, so Node does not load what strips.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/bundlegram'))
await import('./main.ts')
