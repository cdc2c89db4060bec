/** The thread that draws: it alone loads the library and the font. */
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { createCanvas, GlobalFonts, loadImage } from '@napi-rs/canvas'
import { family } from './theme.ts'

export interface Job {
  id: number
  svg: string
}

export type Outcome = { id: number; png: Uint8Array } | { id: number; error: string }

const require = createRequire(import.meta.url)

for (const file of [
  '500Medium/Inter_500Medium',
  '700Bold/Inter_700Bold',
  '800ExtraBold/Inter_800ExtraBold',
]) {
  GlobalFonts.registerFromPath(require.resolve(`@expo-google-fonts/inter/${file}.ttf`), family)
}

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
