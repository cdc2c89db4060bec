import { join } from 'node:path'
import { packageFolder } from '../installation.ts'
import { bundle } from './bundle.ts'

/** `npm pack` runs this first: the tarball's code is the bundle. */
await bundle(join(packageFolder, 'dist'))
