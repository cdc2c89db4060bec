/** @import { ProviderAccountState } from '../../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { smallButton } from '../common/controls.js'
import { element } from '../common/element.js'
import { icon } from '../common/icons.js'
import { syncRows } from '../common/rows.js'
import { attempt, copy, toast } from '../common/toast.js'
import { cedis, pesewasOf } from './money.js'

/**
 * The wallets at the provider, with the credentials that open them. The wallet that the guide offers comes first. It
 * is unfolded if there is room.
 *
 * @param {ProviderClient} provider
 */
export function accountsView(provider) {
  const box = element('div', { class: 'accounts column', 'data-testid': 'accounts' })
  return { box, draw }

  /**
   * @param {ProviderAccountState[]} accounts
   * @param {string | undefined} firstId
   */
  function draw(accounts, firstId) {
    const unfolded = openIds(box)
    const inOrder = accounts.toSorted((a, b) => Number(b.id === firstId) - Number(a.id === firstId))
    const rows = inOrder.map((account, at) => ({
      account,
      isOpen: unfolded?.has(account.id) ?? (at === 0 && innerWidth >= 860),
    }))
    syncRows(
      box,
      rows,
      (row) => row.account.id,
      ({ account, isOpen }) => accountCard(account, isOpen, provider),
    )
  }
}

/** @param {HTMLElement} box @returns {Set<string> | null} null before the first drawing */
function openIds(box) {
  if (box.children.length === 0) return null
  const open = [...box.children].filter((card) => /** @type {HTMLDetailsElement} */ (card).open)
  return new Set(open.map((card) => card.getAttribute('data-key') ?? ''))
}

/**
 * @param {ProviderAccountState} account
 * @param {boolean} isOpen
 * @param {ProviderClient} provider
 */
function accountCard(account, isOpen, provider) {
  return element(
    'details',
    { class: 'account card', open: isOpen, 'data-testid': `account-${account.id}` },
    element(
      'summary',
      { class: 'row apart', 'data-control': 'summary' },
      element(
        'span',
        { class: 'account-name row' },
        account.name,
        !account.name.includes(account.accountType) &&
          element('span', { class: 'pill' }, account.accountType),
        account.disabled && element('span', { class: 'pill pill-failed' }, 'disabled'),
      ),
      element('strong', { class: 'amount-text', 'data-testid': 'balance' }, cedis(account.balancePesewas)),
    ),
    credential('API key', account.apiKey),
    credential('API secret', account.apiSecret),
    walletForm(account, provider),
  )
}

/**
 * @param {string} label
 * @param {string} value
 */
function credential(label, value) {
  return element(
    'div',
    { class: 'credential small' },
    element('span', { class: 'muted' }, label),
    element('code', {}, value),
    smallButton(
      'Copy',
      () => copy(value),
      { 'aria-label': `Copy ${label}`, 'data-control': `copy ${label}` },
      icon('copy'),
    ),
  )
}

/**
 * @param {ProviderAccountState} account
 * @param {ProviderClient} provider
 */
function walletForm(account, provider) {
  const amount = element('input', {
    class: 'amount',
    inputmode: 'decimal',
    placeholder: '100.00',
    'aria-label': `Amount in GHS for ${account.name}`,
    'data-control': 'amount',
  })
  return element(
    'form',
    { class: 'wallet-form row wrap small', onsubmit: /** @param {Event} event */ (event) => submit(event) },
    element('span', { class: 'muted' }, 'GHS'),
    amount,
    element('button', { type: 'submit', class: 'small-button', 'data-control': 'top-up' }, 'Top up'),
    action('Set', 'set', () => change((typed) => typed)),
    element(
      'div',
      { class: 'row wrap' },
      action('New key', 'new-key', () =>
        attempt(() =>
          provider.changeAccount(account.id, {
            apiKey: nextOf(account.apiKey),
            apiSecret: nextOf(account.apiSecret),
          }),
        ),
      ),
      action(account.disabled ? 'Enable key' : 'Disable key', 'disable', () =>
        attempt(() => provider.changeAccount(account.id, { disabled: !account.disabled })),
      ),
    ),
  )

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault()
    change((typed) => account.balancePesewas + typed)
  }

  /** @param {(typedPesewas: number) => number} balanceFor */
  async function change(balanceFor) {
    const typed = pesewasOf(amount.value || amount.placeholder)
    if (typed === null) return toast('Type an amount like 100 or 99.50')
    amount.value = ''
    await attempt(() => provider.changeAccount(account.id, { balancePesewas: balanceFor(typed) }))
  }
}

/**
 * `demo-dealer-key` → `demo-dealer-key-2` → `demo-dealer-key-3`
 *
 * @param {string} credential
 */
function nextOf(credential) {
  const [, stem = credential, count = '1'] = /^(.*)-(\d+)$/.exec(credential) ?? []
  return `${stem}-${Number(count) + 1}`
}

/**
 * @param {string} label
 * @param {string} control
 * @param {() => unknown} press
 */
function action(label, control, press) {
  return smallButton(label, press, { 'data-control': control })
}
