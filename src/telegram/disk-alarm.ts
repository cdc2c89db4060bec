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

  return async (space: FreeSpace): Promise<void> => {
    const isTold = (await facts.fact(factName)) === 'told'
    const bytes = space.bytes()
    if (bytes === null || space.isShort() === isTold) return
    const text = space.isShort() ? diskIsShort(bytes) : diskHasRoom(bytes)
    const told = await Promise.all(operatorIds.map((id) => tell(id, text)))
    if (told.every(Boolean)) await facts.setFact(factName, isTold ? '' : 'told')
  }
}
