// `npm run generate`: regenerates the database client from prisma/schema.prisma.
import { fail, ownNode, pinnedNode } from '../runtime.js'
import { generateClient } from './client.js'

await generateClient(pinnedNode() ?? ownNode() ?? process.execPath).then(
  () => process.stdout.write('src/database/client matches prisma/schema.prisma.\n'),
  (error) => fail(error.message),
)
