import { processHasEnded } from '../../../messaging/leader-lease.ts'
import type { Queries, Store } from '../../../store/store.ts'

/** Records in the database which process runs the export of a chat, so that any process can end it. */
export interface ExportClaims {
  /**
   * Claims the chat's export, replacing the chat's last claim. @param token identifies the process, like a lease's
   * token.
   */
  begin(chatId: number, token: string): Promise<void>
  /** Whether the export may continue. @returns false if this or another process has ended it. */
  goesOn(chatId: number, token: string): Promise<boolean>
  end(chatId: number, token: string): Promise<void>
  /** Ends the chat's export, whichever process runs it. @returns false if no export was running. */
  stop(chatId: number): Promise<boolean>
}

/**
 * How long a claim is valid, ms. No export waits that long for the provider's limits, so an older claim was left by a
 * crash.
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
      // A claim of this process is left from before a restart that kept its process id: exports that this process
      // runs are ended without reading their claims.
      return !processHasEnded(holder.token) && holder.until > (await clock())
    },
  }
}
