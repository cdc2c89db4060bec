import { describe, expect, test } from 'vitest'
import { isTaken } from '../../src/database/conflicts.ts'
import { noAnswers, nothingShown } from '../../src/domain/list-draft.ts'
import { announcementOf, cardOf } from '../../src/domain/notice.ts'
import { placements } from '../../src/domain/placement.ts'
import type { PriceRule } from '../../src/domain/selling.ts'
import type { Pesewas } from '../../src/provider/index.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { networksFact } from '../../src/store/chats/chats.ts'
import type { Disposition, NewStatusReport } from '../../src/store/orders/status-reports.ts'
import type { Queries, Store } from '../../src/store/store.ts'
import { newStore, testedKind } from '../support/database.ts'
import { createMemoryStore } from './memory/store.ts'
import { Random } from './random.ts'

/** One thing that is asked of a store, the same of both. */
interface Question {
  name: string
  ask: (queries: Queries) => Promise<unknown>
  /** The answer has no order of its own. */
  unordered?: boolean
}

const accountIds = ['a1', 'a2']
const purchaseIds = ['p1', 'p2', 'p3']
const orderIds = ['o1', 'o2', 'o3', 'o4']
const phones = ['0241234501', '0241234502', '0241234503'] as Phone[]
const references = ['BUD-API-A-1', 'BUD-API-B-2', 'BUD-API-C-3']
const digests = ['d1', 'd2', 'd3', 'd4', 'd5']
const users = [1, 2]
const dispositions: Disposition[] = ['applied', 'stale', 'foreign', 'unmatched', 'dismissed']
const startMs = Date.UTC(2026, 0, 5)

/** Questions whose values are drawn from few, so that they meet. */
const draw = (random: Random, now: Date): Question => {
  const time = () => new Date(startMs + random.between(0, 20) * 1_000)
  const orNone = <T>(value: T): T | null => (random.chance(0.3) ? null : value)
  const id = random.pick(orderIds)
  const accountId = random.pick(accountIds)
  const purchaseId = random.pick(purchaseIds)
  const userId = random.pick(users)
  const many = 1_000
  const patch = () => {
    const possible = {
      reason: orNone('waits'),
      reference: orNone(random.pick(references)),
      inferred: random.chance(0.5),
      otherReference: orNone(random.pick(references)),
      status: orNone(random.pick(['processing', 'delivered', 'failed', 'odd'])),
      statusReported: random.chance(0.5),
      leaseToken: orNone(random.pick(['t1', 't2'])),
      leaseUntil: orNone(time()),
      notBefore: orNone(time()),
      nextPollAt: orNone(time()),
      reconcileAt: orNone(time()),
      refundAt: orNone(time()),
      waitsForId: orNone(random.pick(orderIds)),
      polls: random.between(0, 3),
    }
    return Object.fromEntries(Object.entries(possible).filter(() => random.chance(0.3)))
  }
  const [to, values, chosen] = [random.pick(placements), patch(), random.pick(phones)]
  const [token, before] = [random.pick([undefined, 't1', 't2']), random.pick([undefined, time()])]
  const inferredReference = random.pick([undefined, undefined, ...references])
  const guard = {
    id,
    ...(token && { leaseToken: token }),
    ...(before && { leaseEndedBefore: before }),
    ...(inferredReference && { inferredReference }),
  }
  const kindOfNotice = random.chance(0.5)
    ? cardOf(purchaseId)
    : announcementOf(id, { about: 'placement' as const })
  const [held, number, digest] = [orNone(time()), random.between(1, 12), random.pick(digests)]
  const [quiet, later] = [orNone(time()), time()]
  const settled = {
    ...(random.chance(0.5) && { notify: random.pick(['each', 'failures'] as const) }),
    ...(random.chance(0.5) && { quietFrom: number, quietTo: number }),
    ...(random.chance(0.5) && { summaryHour: number, summaryAt: later }),
  }
  const [disposition, state] = [random.pick(dispositions), random.pick(['confirmed', 'cancelled'] as const)]
  const [status, reference] = [random.pick(['processing', 'delivered']), random.pick(references)]
  const maybeStatus = orNone(status)
  const [skip, isKnown] = [random.between(0, 3), random.chance(0.5)]
  const rule: PriceRule | null = orNone(
    isKnown
      ? { kind: 'plus', pesewas: 200 as Pesewas, roundPesewas: 50 as Pesewas }
      : { kind: 'percent', tenths: number, roundPesewas: 1 as Pesewas },
  )
  const priceOrNone = orNone((number * 100) as Pesewas)
  const afterId = orNone(random.pick(orderIds))
  const typed = { chatId: userId, sealedKey: digest, sealedSecret: orNone('secret'), expiresAt: now }

  const questions: Question[] = [
    { name: 'orders.byId', ask: ({ orders }) => orders.byId(id) },
    { name: 'orders.byIds', ask: ({ orders }) => orders.byIds([id, 'o1']), unordered: true },
    { name: 'copies.expireDrafts', ask: ({ copies }) => copies.expireDrafts(), unordered: true },
    { name: 'copies.unsent', ask: ({ copies }) => copies.unsent(), unordered: true },
    { name: 'copies.dropLeasesAndInvitations', ask: ({ copies }) => copies.dropLeasesAndInvitations(now) },
    { name: 'copies.auditSince', ask: ({ copies }) => copies.auditSince(now) },
    { name: 'copies.audited', ask: ({ copies }) => copies.audited(now), unordered: true },
    { name: 'copies.endAudit', ask: ({ copies }) => copies.endAudit(accountId) },
    { name: 'copies.reported', ask: ({ copies }) => copies.reported(accountId) },
    { name: 'copies.rememberAudited', ask: ({ copies }) => copies.rememberAudited(accountId, [digest]) },
    { name: 'copies.unstamp', ask: ({ copies }) => copies.unstamp({ from: now, at: now }) },
    { name: 'copies.restored', ask: ({ copies }) => copies.restored() },
    { name: 'copies.stamp', ask: ({ copies }) => copies.stamp() },
    { name: 'copies.isMoved', ask: ({ copies }) => copies.isMoved() },
    { name: 'orders.byReference', ask: ({ orders }) => orders.byReference(reference) },
    { name: 'orders.ofPurchase', ask: ({ orders }) => orders.ofPurchase(purchaseId) },
    { name: 'orders.go', ask: ({ orders }) => orders.go(guard, to, values, now) },
    { name: 'orders.prove', ask: ({ orders }) => orders.prove(id, values, now) },
    { name: 'orders.patch', ask: ({ orders }) => orders.patch(id, values, now) },
    {
      name: 'orders.patchRecipients',
      ask: ({ orders }) => orders.patchRecipients(id, null, maybeStatus, now),
    },
    {
      name: 'orders.patchRecipients',
      ask: ({ orders }) => orders.patchRecipients(id, [chosen], status, now, true),
    },
    { name: 'orders.dueToSend', ask: ({ orders }) => orders.dueToSend(now, many) },
    { name: 'orders.dueToSend', ask: ({ orders }) => orders.dueToSend(now, many, [accountId]) },
    { name: 'orders.putOffPolls', ask: ({ orders }) => orders.putOffPolls(accountId, now) },
    { name: 'orders.leaseEnded', ask: ({ orders }) => orders.leaseEnded(now, many), unordered: true },
    { name: 'orders.dueToPoll', ask: ({ orders }) => orders.dueToPoll(now, many), unordered: true },
    { name: 'orders.dueToReconcile', ask: ({ orders }) => orders.dueToReconcile(now, many), unordered: true },
    { name: 'orders.claimants', ask: ({ orders }) => orders.claimants(accountId) },
    {
      name: 'orders.refundedLess',
      ask: ({ orders }) => orders.refundedLess(accountId, new Map(references.map((each) => [each, number]))),
    },
    { name: 'orders.undecided', ask: ({ orders }) => orders.undecided(accountId, now) },
    { name: 'orders.awaitingRefund', ask: ({ orders }) => orders.awaitingRefund(accountId) },
    { name: 'orders.openFor', ask: ({ orders }) => orders.openFor(accountId, [chosen], id) },
    { name: 'orders.dueToSend', ask: ({ orders }) => orders.dueToSend(now, many, [], [id]) },
    { name: 'orders.toSend', ask: ({ orders }) => orders.toSend({ id, accountId }, [chosen]) },
    {
      name: 'orders.toSend',
      ask: ({ orders }) => orders.toSend({ id, accountId }, [chosen], [new Date(0), new Date(startMs)]),
    },
    {
      name: 'orders.toReport',
      ask: ({ orders }) => orders.toReport([id, 'o1'], now),
    },
    {
      name: 'orders.toConfirm',
      ask: ({ orders }) => orders.toConfirm(purchaseId, { userId, accountId }, now),
    },
    { name: 'orders.toAnswer', ask: ({ orders }) => orders.toAnswer({ id, accountId }, reference) },
    { name: 'orders.wakeWaiting', ask: ({ orders }) => orders.wakeWaiting(id) },
    { name: 'orders.wakeNetwork', ask: ({ orders }) => orders.wakeNetwork('MTN') },
    { name: 'orders.open', ask: ({ orders }) => orders.open(accountId) },
    {
      name: 'orders.queuedOfAccount',
      ask: ({ orders }) => orders.queuedOfAccount(accountId),
      unordered: true,
    },
    { name: 'orders.underWatch', ask: ({ orders }) => orders.underWatch(accountId) },
    {
      name: 'orders.chatsSince',
      ask: ({ orders }) => orders.chatsSince(accountId, now),
      unordered: true,
    },
    { name: 'orders.reconcileNow', ask: ({ orders }) => orders.reconcileNow(accountId, now) },
    { name: 'orders.countByPlacement', ask: ({ orders }) => orders.countByPlacement(), unordered: true },
    {
      name: 'orders.referencesInUse',
      ask: async ({ orders }) => [...(await orders.referencesInUse(references))],
      unordered: true,
    },
    {
      name: 'orders.insertQueued',
      ask: async ({ orders, notices }) => {
        let count = 0
        const order = {
          id,
          purchaseId,
          accountId,
          userId,
          chatId: userId,
          kind: 'single',
          bundleId: 1,
          network: 'MTN',
          volume: '5GB',
          offerSlug: null,
          unitPricePesewas: 2350 as Pesewas,
          sellUnitPesewas: priceOrNone,
          listed: true,
          position: skip,
          afterId,
          recipients: phones.slice(0, 1 + skip).map((phone, position) => ({ phone, position })),
          createdAt: now,
        } as const
        await orders.insertQueued([order], () => `${id}/${++count}`)
        // On PostgreSQL a refusal comes with the next statement that is waited for.
        await notices.count()
      },
    },
    {
      name: 'orders.split',
      ask: async ({ orders }) => {
        const order = await orders.byId(id)
        const phones = order?.recipients.slice(0, -1).map(({ phone }) => phone) ?? []
        const part = { id: `${id}/part`, phones, waitsForId: afterId, notBefore: held }
        return order && phones.length > 0 && orders.split(order, part, now)
      },
    },
    {
      name: 'orders.recentFor',
      ask: ({ orders }) => orders.recentFor(accountId, [chosen], now),
      unordered: true,
    },
    {
      name: 'orders.hasRecent',
      ask: ({ orders }) => orders.hasRecent(accountId, { phone: chosen, bundleId: 1 + skip }, now),
    },
    {
      name: 'orders.phonesWithOpen',
      ask: async ({ orders }) => [...(await orders.phonesWithOpen(accountId, [...phones]))],
      unordered: true,
    },
    {
      name: 'orders.servedOn',
      ask: async ({ orders }) => Object.entries(await orders.servedOn(accountId, [...phones])),
      unordered: true,
    },
    {
      name: 'orders.spending',
      ask: ({ orders }) => orders.spending(accountId, userId, now),
      unordered: true,
    },
    { name: 'orders.takeForRetry', ask: ({ orders }) => orders.takeForRetry(id, [chosen], purchaseId) },
    {
      name: 'orders.placementsOf',
      ask: ({ orders }) => orders.placementsOf(purchaseId),
      unordered: true,
    },
    {
      name: 'orders.passRetry',
      ask: ({ orders }) => orders.passRetry(purchaseId, id, { bundleId: 1, phones: [chosen] }),
    },
    { name: 'orders.dropRetry', ask: ({ orders }) => orders.dropRetry(purchaseId) },
    {
      name: 'lists.insert',
      ask: ({ lists }) =>
        lists.insert({
          purchaseId,
          text: chosen,
          answers: noAnswers,
          fixedBundleId: skip,
          shown: nothingShown,
        }),
    },
    {
      name: 'lists.change',
      ask: ({ lists }) => lists.change(purchaseId, { text: status, answers: { ...noAnswers, fits: true } }),
    },
    { name: 'lists.unconfirmed', ask: ({ lists }) => lists.unconfirmed(accountId, userId, later) },
    { name: 'lists.unconfirmed, all', ask: ({ lists }) => lists.unconfirmed(accountId, userId, new Date(0)) },
    { name: 'purchases.crowdOut', ask: ({ purchases }) => purchases.crowdOut(purchaseId) },
    { name: 'lists.answersOf', ask: ({ lists }) => lists.answersOf(purchaseId) },
    { name: 'lists.byPurchase', ask: ({ lists }) => lists.byPurchase(purchaseId) },
    { name: 'orders.passTurn', ask: ({ orders }) => orders.passTurn(id) },
    { name: 'orders.countOpenOf', ask: ({ orders }) => orders.countOpenOf(purchaseId) },
    { name: 'purchases.hold', ask: ({ purchases }) => purchases.hold(purchaseId, id) },
    { name: 'purchases.release', ask: ({ purchases }) => purchases.release(purchaseId, id) },
    { name: 'purchases.goOn', ask: ({ purchases }) => purchases.goOn(purchaseId, now) },
    { name: 'purchases.close', ask: ({ purchases }) => purchases.close(purchaseId, now) },
    {
      name: 'purchases.insertDraft',
      ask: ({ purchases }) =>
        purchases.insertDraft({
          id: purchaseId,
          accountId,
          userId,
          chatId: userId,
          cause: `cause:${purchaseId}`,
          kind: skip === 0 ? 'single' : 'list',
          lines: [],
          createdAt: now,
          expiresAt: new Date(now.getTime() + 5_000),
        }),
    },
    { name: 'purchases.byId', ask: ({ purchases }) => purchases.byId(purchaseId) },
    { name: 'purchases.byCause', ask: ({ purchases }) => purchases.byCause(`cause:${purchaseId}`) },
    { name: 'purchases.nextNonce', ask: ({ purchases }) => purchases.nextNonce('cause:p') },
    {
      name: 'purchases.leaveDraft',
      ask: ({ purchases }) => purchases.leaveDraft({ id: purchaseId, userId, now }, state),
    },
    { name: 'purchases.cancelConfirmed', ask: ({ purchases }) => purchases.cancelConfirmed(purchaseId) },
    { name: 'purchases.showOn', ask: ({ purchases }) => purchases.showOn(purchaseId, number) },
    { name: 'purchases.unshownLists', ask: ({ purchases }) => purchases.unshownLists(now) },
    {
      name: 'purchases.overdueDrafts',
      ask: ({ purchases }) => purchases.overdueDrafts(now, many),
      unordered: true,
    },
    {
      name: 'purchases.draftsIn',
      ask: ({ purchases }) => purchases.draftsIn({ chatId: userId, userId, accountId }, now),
    },
    { name: 'purchases.ofMessage', ask: ({ purchases }) => purchases.ofMessage(userId, number) },
    {
      name: 'purchases.openLists',
      ask: ({ purchases }) => purchases.openLists({ chatId: userId, userId, accountId }, now),
    },
    { name: 'purchases.draftsOf', ask: ({ purchases }) => purchases.draftsOf(userId, accountId) },
    {
      name: 'purchases.keepDrafts',
      ask: ({ purchases }) => purchases.keepDrafts(now, new Date(now.getTime() + 9_000)),
    },
    { name: 'purchases.expire', ask: ({ purchases }) => purchases.expire(purchaseId) },
    { name: 'accounts.byId', ask: ({ accounts }) => accounts.byId(accountId) },
    { name: 'accounts.freeze', ask: ({ accounts }) => accounts.freeze(accountId, now) },
    { name: 'accounts.suspect', ask: ({ accounts }) => accounts.suspect(accountId, now) },
    { name: 'accounts.markRefused', ask: ({ accounts }) => accounts.markRefused(accountId, now) },
    { name: 'accounts.verifyAgain', ask: ({ accounts }) => accounts.verifyAgain(accountId, now) },
    {
      name: 'accounts.dueToVerify',
      ask: ({ accounts }) => accounts.dueToVerify(now, 20),
      unordered: true,
    },
    { name: 'accounts.markAuthorized', ask: ({ accounts }) => accounts.markAuthorized(accountId, now) },
    { name: 'accounts.sawCallback', ask: ({ accounts }) => accounts.sawCallback(accountId, now) },
    {
      name: 'accounts.attach',
      ask: ({ accounts }) => accounts.attach({ userId, chatId: userId, accountId, role: 'owner' }, now),
    },
    { name: 'accounts.closeBy', ask: ({ accounts }) => accounts.closeBy(accountId, now) },
    { name: 'accounts.keep', ask: ({ accounts }) => accounts.keep(accountId) },
    { name: 'accounts.closing', ask: ({ accounts }) => accounts.closing(), unordered: true },
    { name: 'accounts.members', ask: ({ accounts }) => accounts.members(accountId), unordered: true },
    { name: 'accounts.memberWithAccount', ask: ({ accounts }) => accounts.memberWithAccount(userId) },
    { name: 'accounts.orderer', ask: ({ accounts }) => accounts.orderer(userId, accountId) },
    { name: 'accounts.memberIn', ask: ({ accounts }) => accounts.memberIn(userId, accountId) },
    { name: 'accounts.detach', ask: ({ accounts }) => accounts.detach(userId) },
    {
      name: 'accounts.rememberBalance',
      ask: async ({ accounts }) => {
        const known = (await accounts.byId(accountId))?.balanceAt ?? null
        const fresh = { balancePesewas: number as Pesewas, balanceAt: now, accountType: null }
        return accounts.rememberBalance(accountId, fresh, isKnown ? known : now)
      },
    },
    { name: 'shops.of', ask: ({ shops }) => shops.of(accountId) },
    { name: 'shops.name', ask: ({ shops }) => shops.name(accountId, maybeStatus) },
    { name: 'shops.askName', ask: ({ shops }) => shops.askName(accountId, now) },
    { name: 'shops.phone', ask: ({ shops }) => shops.phone(accountId, chosen) },
    { name: 'shops.accent', ask: ({ shops }) => shops.accent(accountId, 'green') },
    { name: 'shops.letter', ask: ({ shops }) => shops.letter(accountId, maybeStatus) },
    { name: 'shops.hidden', ask: async ({ shops }) => [...(await shops.hidden(accountId))], unordered: true },
    { name: 'shops.hide', ask: ({ shops }) => shops.hide(accountId, skip, priceOrNone === null) },
    { name: 'shops.rule', ask: ({ shops }) => shops.rule(accountId, rule) },
    {
      name: 'shops.tier',
      ask: ({ shops }) =>
        shops.tier(
          accountId,
          { network: priceOrNone === null ? null : 'MTN', fromMegabytes: skip || null },
          rule,
        ),
    },
    { name: 'shops.price', ask: ({ shops }) => shops.price(accountId, skip, priceOrNone) },
    {
      name: 'preferences.balanceIsUp',
      ask: ({ preferences }) => preferences.balanceIsUp(userId, number as Pesewas),
    },
    {
      name: 'preferences.balanceIsLow',
      ask: ({ preferences }) => preferences.balanceIsLow(userId, number as Pesewas, now),
    },
    {
      name: 'statusReports.unapplied',
      ask: async ({ statusReports }) => [
        await statusReports.unapplied(1, 2),
        await statusReports.unapplied(0, many, [accountId, id]),
      ],
    },
    { name: 'statusReports.ofOrder', ask: ({ statusReports }) => statusReports.ofOrder(id, disposition) },
    {
      name: 'statusReports.producedAt',
      ask: ({ statusReports }) => statusReports.producedAt(id, chosen, status),
    },
    { name: 'statusReports.countCallbacks', ask: ({ statusReports }) => statusReports.countCallbacks(id) },
    { name: 'statusReports.reopen', ask: ({ statusReports }) => statusReports.reopen(id, reference) },
    { name: 'statusReports.eraseContent', ask: ({ statusReports }) => statusReports.eraseContent(number) },
    {
      name: 'statusReports.record',
      ask: ({ statusReports }) =>
        statusReports.record({
          orderId: id,
          source: 'poll',
          reference,
          status,
          happenedAt: held,
          receivedAt: now,
        }),
    },
    {
      name: 'statusReports.setDisposition, statusReports.disown',
      ask: async ({ statusReports }) => {
        const [first] = await statusReports.unapplied(0, 1)
        const [held] = await statusReports.ofOrder(id, 'unmatched')
        if (held) await statusReports.disown([held.id], now)
        return first ? statusReports.setDisposition([first.id], disposition, now) : null
      },
    },
    {
      name: 'alerts.remember',
      ask: ({ alerts }) =>
        alerts.remember(isKnown ? 'key' : 'prompt', { chatId: userId, messageId: number, since: now }),
    },
    { name: 'alerts.at', ask: ({ alerts }) => alerts.at(userId, isKnown ? 'key' : 'prompt') },
    { name: 'alerts.take', ask: ({ alerts }) => alerts.take(userId, isKnown ? 'key' : 'prompt') },
    {
      name: 'warnings.remember',
      ask: ({ warnings }) =>
        warnings.remember({
          ...{ chatId: userId, messageId: number, purchaseId, orderId: id },
          ...{ mistaken: maybeStatus, says: isKnown ? 'held' : 'uncertain' },
        }),
    },
    { name: 'warnings.at', ask: ({ warnings }) => warnings.at(userId, number) },
    { name: 'warnings.standing', ask: ({ warnings }) => warnings.standing(purchaseId) },
    {
      name: 'warnings.enqueueEdit',
      ask: ({ warnings }) => warnings.enqueueEdit({ chatId: userId, messageId: number }),
    },
    {
      name: 'warnings.forget',
      ask: ({ warnings }) => warnings.forget({ chatId: userId, messageId: number }),
    },
    { name: 'chats.setFact', ask: ({ chats }) => chats.setFact(networksFact, status) },
    {
      name: 'preferences.warnedOwners',
      ask: ({ preferences }) => preferences.warnedOwners(accountId),
      unordered: true,
    },
    { name: 'preferences.of', ask: ({ preferences }) => preferences.of(userId) },
    { name: 'preferences.change', ask: ({ preferences }) => preferences.change(userId, settled) },
    { name: 'preferences.dueSummaries', ask: ({ preferences }) => preferences.dueSummaries(now, 1 + skip) },
    {
      name: 'preferences.advanceSummary',
      ask: ({ preferences }) =>
        preferences.advanceSummary(userId, now, { summaryAt: later, summaryToldTo: now }),
    },
    { name: 'notices.enqueue', ask: ({ notices }) => notices.enqueue(userId, kindOfNotice, now, held) },
    {
      name: 'notices.enqueue',
      ask: ({ notices }) => notices.enqueue(userId, kindOfNotice, now, held, quiet),
    },
    { name: 'notices.setQuietUntil', ask: ({ notices }) => notices.setQuietUntil(userId, now) },
    { name: 'notices.awaken', ask: ({ notices }) => notices.awaken(userId, `order:${id}`) },
    { name: 'notices.dueChats', ask: ({ notices }) => notices.dueChats(now, many), unordered: true },
    {
      name: 'notices.dueChats',
      ask: ({ notices }) => notices.dueChats(now, many, [userId]),
      unordered: true,
    },
    { name: 'notices.ofChat', ask: ({ notices }) => notices.ofChat(userId) },
    { name: 'notices.done', ask: ({ notices }) => notices.done([number]) },
    { name: 'notices.putOff', ask: ({ notices }) => notices.putOff([number, number + 1], now, isKnown) },
    { name: 'notices.release', ask: ({ notices }) => notices.release(`order:${id}`) },
    { name: 'notices.setAside', ask: ({ notices }) => notices.setAside([number], now) },
    { name: 'notices.isOwed', ask: ({ notices }) => notices.isOwed(number) },
    { name: 'notices.count', ask: ({ notices }) => notices.count() },
    { name: 'chats.mute', ask: ({ chats }) => chats.mute(userId, now) },
    { name: 'chats.isMuted', ask: ({ chats }) => chats.isMuted(userId) },
    { name: 'chats.unmute', ask: ({ chats }) => chats.unmute(userId) },
    { name: 'chats.migrate', ask: ({ chats }) => chats.migrate(1, 2) },
    {
      name: 'leases.pass',
      ask: async ({ leases }) =>
        leases.pass('l', isKnown ? await leases.holder('l') : null, {
          token: `${number}`,
          until: now,
        }),
    },
    { name: 'leases.holder', ask: ({ leases }) => leases.holder('l') },
    { name: 'leases.release', ask: ({ leases }) => leases.release('l', `${number}`) },
    { name: 'chats.keepPendingCredentials', ask: ({ chats }) => chats.keepPendingCredentials(typed) },
    { name: 'chats.pendingCredentials', ask: ({ chats }) => chats.pendingCredentials(userId) },
    { name: 'chats.pendingPairs', ask: ({ chats }) => chats.pendingPairs(), unordered: true },
    { name: 'chats.isPending', ask: ({ chats }) => chats.isPending(typed) },
    { name: 'chats.dropCredentials', ask: ({ chats }) => chats.dropCredentials(typed) },
    { name: 'chats.dropKey', ask: ({ chats }) => chats.dropKey(userId) },
    { name: 'chats.dropOldKeys', ask: ({ chats }) => chats.dropOldKeys(now) },
    { name: 'chats.facts', ask: ({ chats }) => chats.facts(['maintenance', 'networks_down']) },
    { name: 'chats.followers', ask: ({ chats }) => chats.followers(id) },
    {
      name: 'requests.countIfRoom',
      ask: ({ requests }) => requests.countIfRoom(accountId, now, [{ since: new Date(0), most: 2 + skip }]),
    },
    {
      name: 'requests.count',
      ask: ({ requests }) => requests.count(accountId, now),
    },
    {
      name: 'requests.countsSince',
      ask: ({ requests }) => requests.countsSince(accountId, [now, new Date(now.getTime() - 60_000)]),
    },
    {
      name: 'requests.usageSince',
      ask: ({ requests }) => requests.usageSince(accountId, [now, new Date(now.getTime() - 60_000)]),
    },
    { name: 'requests.nthSince', ask: ({ requests }) => requests.nthSince(accountId, now, skip) },
    { name: 'requests.keepBetween', ask: ({ requests }) => requests.keepBetween(new Date(startMs), now) },
  ]
  return random.pick(questions)
}

/** Callbacks that share a commit, repeats among them: they come in outside of any transaction. */
const drawEvents = (random: Random): NewStatusReport[] =>
  Array.from({ length: random.between(1, 3) }, () => ({
    orderId: random.pick(orderIds),
    source: 'callback',
    digest: random.pick(digests),
    reference: random.pick(references),
    status: random.pick(['processing', 'delivered']),
    phone: random.pick([null, ...phones]),
    happenedAt: random.pick([null, new Date(startMs)]),
    receivedAt: new Date(startMs + random.between(0, 20) * 1_000),
    body: null,
  }))

const refused = 'refused'
class RolledBack extends Error {
  override name = 'RolledBack'
}

const sorted = (rows: unknown[]): unknown[] => {
  const keyOf = (row: unknown) => JSON.stringify(row instanceof Object ? Object.entries(row).toSorted() : row)
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** The answer, or that the database refused (a foreign key, or a unique column). */
const answerOf = async (queries: Queries, { ask, unordered }: Question): Promise<unknown> => {
  try {
    const answer = await ask(queries)
    return unordered && Array.isArray(answer) ? sorted(answer) : answer
  } catch (error) {
    if (isTaken(error)) return refused
    throw error
  }
}

/** No lease is ever passed in a transaction, and in memory leases have a journal of their own. */
const isForTransactions = ({ name }: Question): boolean => !name.startsWith('leases.')

/** Several questions in one transaction, that may be rolled back in the end. */
const answersOf = async (store: Store, questions: Question[], isKept: boolean): Promise<unknown[]> => {
  const answers: unknown[] = []
  try {
    await store.transaction(async (queries) => {
      for (const question of questions) {
        const answer = await answerOf(queries, question)
        answers.push(answer)
        if (answer === refused) throw new RolledBack()
      }
      // On PostgreSQL a write may wait for the next statement, and only one that was sent has taken its number.
      await queries.notices.count()
      if (!isKept) throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  return answers
}

const open = async (store: Store): Promise<void> => {
  for (const id of accountIds) {
    const account = { id, keyHash: id, sealedKey: 'key', sealedSecret: 'secret', accountType: null }
    await store.accounts.insert({ ...account, now: new Date(startMs) })
  }
  for (const id of purchaseIds) {
    const person = { accountId: 'a1', userId: 1, chatId: 1 }
    const bundle = {
      bundleId: 5,
      network: 'MTN',
      volume: '5GB',
      offerSlug: null,
      pricePesewas: 2350 as Pesewas,
    }
    const times = { createdAt: new Date(startMs), expiresAt: new Date(startMs + 10_000) }
    const lines = phones.slice(0, 1).map((phone) => ({ ...bundle, phone }))
    await store.purchases.insertDraft({ id, ...person, cause: `cause:${id}`, lines, ...times })
  }
}

/** The memory goes through all rows, the real store by its indexes. */
const searches = (now: Date): Question[] => [
  { name: 'orders.dueToSend', ask: ({ orders }) => orders.dueToSend(now, 9), unordered: true },
  { name: 'orders.dueToPoll', ask: ({ orders }) => orders.dueToPoll(now, 9), unordered: true },
  { name: 'orders.dueToReconcile', ask: ({ orders }) => orders.dueToReconcile(now, 9), unordered: true },
  { name: 'notices.dueChats', ask: ({ notices }) => notices.dueChats(now, 9), unordered: true },
]

describe('the store in memory answers as the real one does', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'to random questions and transactions, some rolled back (%i)',
    async (seed) => {
      const [real, inMemory] = [await newStore(), createMemoryStore(() => new Date(), testedKind)]
      await Promise.all([open(real), open(inMemory)])
      const random = new Random(seed)
      let nowMs = startMs
      for (let count = 0; count < 150; count += 1) {
        nowMs += random.between(0, 300)
        if (random.chance(0.1)) {
          const events = drawEvents(random)
          expect(await inMemory.statusReports.insert(events)).toBe(await real.statusReports.insert(events))
        }
        if (random.chance(0.1)) {
          const byMs = random.pick([random.between(1, 12) * 1_000, 2 * 24 * 3_600_000])
          nowMs -= byMs
        }
        const questions = Array.from({ length: random.between(1, 4) }, () => draw(random, new Date(nowMs)))
        const isKept = random.chance(0.8)
        const names = questions.map(({ name }) => name).join(', ')
        if (random.chance(0.5)) {
          const together = questions.filter(isForTransactions)
          const answers = await answersOf(inMemory, together, isKept)
          expect(answers, names).toEqual(await answersOf(real, together, isKept))
        } else {
          for (const question of questions) {
            expect(await answerOf(inMemory, question), question.name).toEqual(await answerOf(real, question))
          }
        }
        for (const search of searches(new Date(nowMs)))
          expect(await answerOf(real, search), `${search.name} after ${names}`).toEqual(
            await answerOf(inMemory, search),
          )
        for (const userId of users) {
          const turn = [userId, 3, new Date(nowMs)] as const
          expect(await real.notices.forTurn(...turn)).toEqual(await inMemory.notices.forTurn(...turn))
        }
      }
    },
  )
})
