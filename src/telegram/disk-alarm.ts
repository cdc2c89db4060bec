import type { FreeSpace } from '../store/free-space.ts'
import type { Queries } from '../store/store.ts'
import type { Sender } from './sender.ts'
import { diskHasRoom, diskIsShort } from './texts/disk.ts'

const factName = 'disk_is_short'

/**
 * Tells the operators that the disk is nearly full, once, and that it has room again, however often the bot starts
 * meanwhile.
 */
export const createDiskAlarm = (options: {
  facts: Pick<Queries['chats'], 'fact' | 'setFact'>
  sender: Sender
  operatorIds: readonly number[]
}) => {
  const { facts, sender, operatorIds } = options

  /** @returns whether it arrived, or never will. */
  const tell = async (operatorId: number, text: string): Promise<boolean> => {
    const sent = await sender.send(operatorId, { text })
    return sent.kind === 'sent' || (sent.refusal.kind !== 'unknown' && sent.refusal.kind !== 'flood')
  }

  /** Who knows of a change that is not yet noted for all: the disk that is full may refuse that very note. */
  const known = new Map<number, boolean>()

  return async (space: FreeSpace): Promise<void> => {
    const wasShort = (await facts.fact(factName)) === 'told'
    const bytes = space.bytes()
    if (bytes === null) return
    const isShort = space.isShort()
    const isBehind = (id: number) => (known.get(id) ?? wasShort) !== isShort
    const text = isShort ? diskIsShort(bytes) : diskHasRoom(bytes)
    await Promise.all(
      operatorIds.filter(isBehind).map(async (id) => {
        if (await tell(id, text)) known.set(id, isShort)
      }),
    )
    if (operatorIds.some(isBehind)) return
    if (isShort !== wasShort) await facts.setFact(factName, isShort ? 'told' : '')
    known.clear()
  }
}
