import { join } from 'node:path'
import { generateClient } from './client-generation.ts'

/** `npm run generate` writes `src/store/client`, which is committed, anew from `prisma/schema.prisma`. */
await generateClient(join(import.meta.dirname, 'client'))
