import { processHasEnded } from '../relay/lease.ts'
import type { Queries, Store } from '../store/store.ts'

/** Which exports go on, for whoever of the instances gets the press that is to end one. */
export interface ExportClaims {
  /** It begins, in place of whatever was said of the chat before. @param token names the process, as of a lease. */
  begin(chatId: number, token: string): Promise<void>
  /** @returns whether it may go on: nobody has ended it. */
  goesOn(chatId: number, token: string): Promise<boolean>
  end(chatId: number, token: string): Promise<void>
  /** Ends what goes on in the chat, wherever it is made. @returns whether there is something. */
  stop(chatId: number): Promise<boolean>
}

/** Longer than an export waits for the provider's limits: after that it is taken for one that a crash has ended. */
const claimMs = 70 * 60_000

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
      // Of our own process it would be known without asking: what names it is of an earlier life.
      return !processHasEnded(holder.token) && holder.until > (await clock())
    },
  }
}
