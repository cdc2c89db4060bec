import type { PortedNumberStore } from '../../../src/store/shop/ported-numbers.ts'
import type { Tables } from './rows.ts'

export const memoryPorted = ({ ported }: Tables): PortedNumberStore => {
  const keyOf = (accountId: string, phone: string): string => `${accountId} ${phone}`
  const ofAccount = (accountId: string) => ported.where((row) => row.accountId === accountId)
  const remove = (rows: readonly { accountId: string; phone: string }[]): number => {
    for (const { accountId, phone } of rows) ported.delete(keyOf(accountId, phone))
    return rows.length
  }

  return {
    of: async (accountId, phones) =>
      Object.fromEntries(
        ofAccount(accountId)
          .filter(({ phone }) => phones.includes(phone))
          .map(({ phone, network }) => [phone, network]),
      ),
    keep: async (accountId, phones, network, keptAt) => {
      for (const phone of new Set(phones))
        ported.set(keyOf(accountId, phone), { accountId, phone, network, keptAt })
    },
    forget: async (accountId, phones) =>
      remove(ofAccount(accountId).filter(({ phone }) => phones.includes(phone))),
    forgetAll: async (accountId) => remove(ofAccount(accountId)),
    forgetBefore: async (before) => {
      remove(ported.where(({ keptAt }) => keptAt < before))
    },
    list: async (accountId, take) =>
      ofAccount(accountId)
        .sort((a, b) => b.keptAt.getTime() - a.keptAt.getTime() || a.phone.localeCompare(b.phone))
        .slice(0, take),
    count: async (accountId) => ofAccount(accountId).length,
  }
}
