import { cardOf } from '../../domain/notice.ts'
import type { Purchase, PurchaseLine } from '../../domain/order/order.ts'
import { sellingPrice } from '../../domain/selling/price-rule.ts'
import { draftMs } from '../../domain/times/draft-lifetime.ts'
import type { Member } from '../../store/accounts/accounts.ts'
import type { NewPurchase } from '../../store/orders/purchases.ts'
import type { Queries } from '../../store/store.ts'

type Orderer = Pick<NewPurchase, 'userId' | 'chatId' | 'accountId'>

/** A draft that is shown on a card. It can be confirmed for `draftMs`. */
export const draftOf = (
  { userId, chatId, accountId }: Orderer,
  { id, cause, lines, at }: { id: string; cause: string; lines: PurchaseLine[]; at: Date },
): NewPurchase => ({
  id,
  userId,
  chatId,
  accountId,
  cause,
  lines,
  createdAt: at,
  expiresAt: new Date(at.getTime() + draftMs),
})

/**
 * Inserts a draft. It replaces the person's older drafts for the same number and bundle in this chat.
 * @returns the draft. If a draft with the same `cause` exists, returns that one and changes nothing.
 */
export const insertCard = async (tx: Queries, draft: NewPurchase, at: Date): Promise<Purchase> => {
  const shown = await tx.purchases.draftsIn(draft, at)
  const purchase = await tx.purchases.insertDraft(draft)
  if (purchase.id !== draft.id) return purchase
  const [line] = draft.lines
  for (const older of shown) {
    const [other] = older.lines
    if (other?.phone !== line?.phone || other?.bundleId !== line?.bundleId) continue
    if (older.kind === 'list') continue
    await tx.purchases.supersede(older.id, purchase.id)
    if (older.cardMessageId !== null) await tx.notices.enqueue(older.chatId, cardOf(older.id), at)
  }
  return purchase
}

/**
 * The lines, with the price that an agent sees and confirms. An owner's lines stay unchanged.
 * @param person includes `role` if the caller has just read it.
 */
export const withAgentPrices = async (
  tx: Queries,
  { userId, accountId, role }: Pick<Orderer, 'userId' | 'accountId'> & Partial<Pick<Member, 'role'>>,
  lines: PurchaseLine[],
): Promise<PurchaseLine[]> => {
  if (role === 'owner') return lines
  const member = await tx.accounts.member(userId)
  if (member?.role !== 'agent' || member.accountId !== accountId) return lines
  const shop = await tx.shops.asSeenBy({ userId, accountId })
  return lines.map((line) => ({
    ...line,
    agentPesewas: sellingPrice(shop, line, line.pricePesewas),
  }))
}
