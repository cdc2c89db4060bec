#!/usr/bin/env node
// `node`, but the one that the lock file pins, whatever is installed on the machine. npm links that one as `node` for the
// scripts only from npm 11 on, and Node 20 comes with npm 10.
import { become, ownNode, pinnedNode } from '../runtime.js'

become(pinnedNode() ?? ownNode(), process.argv.slice(2))
