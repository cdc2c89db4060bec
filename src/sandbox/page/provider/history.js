/** @import { ProviderState } from '../../provider/control.ts' */
import { element } from '../common/element.js'
import { syncRows } from '../common/rows.js'
import { secondsOf } from '../common/time.js'
import { cedis } from './money.js'
import { nothingYet } from './orders.js'

/** The debits and credits of all wallets, newest first. */
export function historyView() {
  const list = element('ul', {
    class: 'lines card',
    'data-testid': 'transactions',
    'aria-label': 'Transactions',
  })
  const none = nothingYet('No money has moved yet.')
  return { box: element('div', { class: 'panel-part column' }, none, list), draw }

  /** @param {ProviderState} state */
  function draw({ transactions, accounts }) {
    none.hidden = transactions.length > 0
    const names = new Map(accounts.map((account) => [account.id, account.name]))
    const rows = transactions.map((one) => ({ ...one, account: names.get(one.accountId) ?? one.accountId }))
    syncRows(list, rows, (row) => String(row.id), lineOf)
  }
}

/** @param {ProviderState['transactions'][number] & { account: string }} transaction */
function lineOf({ type, amountPesewas, description, reference, balanceAfterPesewas, createdAt, account }) {
  const sign = type === 'debit' ? '−' : '+'
  return element(
    'li',
    { 'data-testid': 'transaction' },
    element(
      'div',
      { class: 'row apart' },
      element('span', {}, description),
      element(
        'strong',
        { class: type === 'debit' ? 'amount-text' : 'amount-text good' },
        `${sign}${cedis(amountPesewas)}`,
      ),
    ),
    element(
      'div',
      { class: 'row apart small muted' },
      element('span', {}, element('code', {}, reference), ` · ${account}`),
      element('span', {}, `${cedis(balanceAfterPesewas)} · ${secondsOf(createdAt)}`),
    ),
  )
}
