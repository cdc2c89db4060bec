import { join } from 'node:path'
import { generateClient } from './client-generation.ts'

/** `npm run generate` rewrites `src/database/client` from `prisma/schema.prisma`. The client is committed. */
await generateClient(join(import.meta.dirname, 'client'))
