import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { FastifyInstance } from 'fastify'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
}
const policy = "default-src 'self'; connect-src 'self' http://127.0.0.1:*; img-src 'self' data: blob:"

/**
 * Serves the files of a folder at `/`. Only files of the types above are served, no hidden ones, and none outside
 * the folder.
 */
export function staticFiles(app: FastifyInstance, folder: string): void {
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const path = request.params['*'] || 'index.html'
    const type = types[extname(path).toLowerCase()]
    const bytes = type ? await readInside(folder, path) : undefined
    if (!bytes || !type) return reply.callNotFound()
    return reply
      .headers({
        'content-type': type,
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
      })
      .send(bytes)
  })
}

async function readInside(folder: string, path: string): Promise<Buffer | undefined> {
  if (path.includes('\0') || path.split(/[/\\]/).some((part) => part.startsWith('.'))) return undefined
  try {
    const root = await realpath(folder)
    const file = await realpath(join(root, path))
    return file.startsWith(root + sep) ? await readFile(file) : undefined
  } catch {
    return undefined
  }
}
