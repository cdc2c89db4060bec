import { processHasEnded } from '../../../messaging/leader-lease.ts'
import type { Queries, Store } from '../../../store/store.ts'

/** Claims of running exports in the database, so that every process can end an export. */
export interface ExportClaims {
  /**
   * Claims the chat's export, replacing the chat's last claim. @param token identifies the process, like a lease's
   * token.
   */
  begin(chatId: number, token: string): Promise<void>
  /** @returns false if the export was ended, in this process or another. */
  goesOn(chatId: number, token: string): Promise<boolean>
  end(chatId: number, token: string): Promise<void>
  /** Ends the chat's export in whatever process it runs. @returns whether one is running. */
  stop(chatId: number): Promise<boolean>
}

/**
 * How long a claim is valid, ms. This is longer than an export waits for the provider's limits, so an older claim is
 * left from a crash.
 */
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
      // A claim of this process's own id is from before a restart, because its running exports are found without the
      // claim.
      return !processHasEnded(holder.token) && holder.until > (await clock())
    },
  }
}
