#!/usr/bin/env node
// `node`, but the one that the lock file pins, whatever is installed on the machine: the scripts of package.json run on
// it, with the flag that all of them need, once the database client is there. npm links that Node as `node` for its
// scripts only from npm 11 on, and Node 20 comes with npm 10. What runs until it is told to stop is started with `exec`:
// a signal to npm reaches the shell in between alone, which would die of it.
import { become, fail, ownNode, pinnedNode, quiet } from '../runtime.js'
import { generateClient, isClientCurrent } from './client.js'

const node = pinnedNode() ?? ownNode()
try {
  if (node && !isClientCurrent()) {
    process.stderr.write('Generating the database client …\n')
    await generateClient(node)
  }
  become(node, [...quiet, ...process.argv.slice(2)])
} catch (error) {
  fail(`The database client cannot be generated: ${error.message}`)
}
