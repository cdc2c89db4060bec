/** The drawing thread. Only this thread loads the library and the font. */
import { parentPort } from 'node:worker_threads'
import { createCanvas, GlobalFonts, loadImage } from '@napi-rs/canvas'
import { packageFile } from '../base/installation.ts'
import { family, fontFiles } from './theme.ts'

export interface Job {
  id: number
  svg: string
}

/** The answer to the job with the same id: the PNG, or why it could not be drawn. */
export type Outcome = { id: number; png: Uint8Array } | { id: number; error: string }

for (const file of fontFiles) GlobalFonts.registerFromPath(packageFile(file), family)

const draw = async (svg: string): Promise<Uint8Array> => {
  const image = await loadImage(Buffer.from(svg))
  const canvas = createCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  return canvas.encode('png')
}

parentPort?.on('message', async ({ id, svg }: Job) => {
  const outcome: Outcome = await draw(svg).then(
    (png) => ({ id, png }),
    (error: unknown) => ({ id, error: error instanceof Error ? error.message : String(error) }),
  )
  parentPort?.postMessage(outcome)
})
