#!/usr/bin/env node
// Runs the Node that the lock file pins, whatever is installed on the machine. The scripts of package.json use it
// instead of `node`. It adds the flag that all of them need, and generates the database client first if necessary. npm
// puts the pinned Node on the path of scripts only from npm 11 on, but Node 20 comes with npm 10. Long-running scripts
// are started with `exec`, because a signal to npm reaches only the shell in between, which would die without passing
// it on.
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
