import { wait } from '../../../base/wait.ts'
import type { Album, BotContext } from '../context.ts'

/** How long to wait for the other parts of an album, ms. */
const partsMs = 1_500
const lookEveryMs = 100

/** One part of an album that has arrived. */
export interface AlbumPart {
  /** Whether this part arrived before all others. */
  isFirst: boolean
  /** Resolves to the album when its caption is known, or when no other part is likely to come. */
  whole(): Promise<Album>
}

/**
 * Remembers for the whole album what a part says: the first caption, and the bundle that was chosen before.
 * @returns null if the message is not part of an album.
 */
export const takePart = async (
  ctx: BotContext,
  { caption, bundleId }: Pick<Album, 'caption' | 'bundleId'>,
): Promise<AlbumPart | null> => {
  const id = ctx.message?.media_group_id
  if (id === undefined) return null
  const memory = await ctx.session
  const before = memory.album?.id === id ? memory.album : null
  const album = { id, caption: before?.caption || caption, bundleId: before?.bundleId ?? bundleId }
  ctx.session = { ...memory, album }
  return { isFirst: before === null, whole: () => completed(ctx, album) }
}

const completed = async (ctx: BotContext, known: Album): Promise<Album> => {
  for (let waitedMs = 0; known.caption === '' && waitedMs < partsMs; waitedMs += lookEveryMs) {
    await wait(lookEveryMs)
    const { album } = await ctx.memoryNow()
    if (album?.id === known.id && album.caption !== '') return album
  }
  return known
}
