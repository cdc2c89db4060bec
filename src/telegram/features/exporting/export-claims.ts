import { processHasEnded } from '../../../messaging/leader-lease.ts'
import type { Queries, Store } from '../../../store/store.ts'

/** Running exports, known to all instances, so that any of them can end one. */
export interface ExportClaims {
  /** Registers an export in place of the chat's last one. @param token names the process, like a lease's. */
  begin(chatId: number, token: string): Promise<void>
  /** Whether the export may go on. @returns false if somebody has ended it. */
  goesOn(chatId: number, token: string): Promise<boolean>
  end(chatId: number, token: string): Promise<void>
  /** Ends the chat's export on whichever instance. @returns whether there is one. */
  stop(chatId: number): Promise<boolean>
}

/** Longer than an export waits for the provider's limits: after that, it counts as ended by a crash. */
const claimMs = 70 * 60_000

/** Keeps the claims as leases, one for each chat. */
export const createExportClaims = ({
  leases,
  clock,
}: Pick<Queries, 'leases'> & Pick<Store, 'clock'>): ExportClaims => {
  const nameOf = (chatId: number): string => `export ${chatId}`

  const goesOn: ExportClaims['goesOn'] = async (chatId, token) =>
    (await leases.holder(nameOf(chatId)))?.token === token

  return {
    begin: async (chatId, token) => {
      const until = new Date((await clock()).getTime() + claimMs)
      await leases.pass(nameOf(chatId), await leases.holder(nameOf(chatId)), { token, until })
    },
    goesOn,
    end: (chatId, token) => leases.release(nameOf(chatId), token),
    stop: async (chatId) => {
      const holder = await leases.holder(nameOf(chatId))
      if (!holder) return false
      await leases.release(nameOf(chatId), holder.token)
      // A claim with this process's own id is from an earlier life: running exports are found without asking.
      return !processHasEnded(holder.token) && holder.until > (await clock())
    },
  }
}
