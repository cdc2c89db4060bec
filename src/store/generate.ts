import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { generateClient } from './client-generation.ts'

/** `npm run generate` writes `src/store/client`, which is committed, anew from `prisma/schema.prisma`. */
const folder = join(import.meta.dirname, 'client')
await rm(folder, { recursive: true, force: true })
await generateClient(folder)
