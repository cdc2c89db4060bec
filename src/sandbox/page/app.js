/** @import { ProviderState } from '../provider/control.ts' */
import { chat } from './chat/chat.js'
import { byId } from './common/element.js'
import { request } from './common/requests.js'
import { chooseTab, moveByArrows } from './common/tabs.js'
import { toast } from './common/toast.js'
import { ledger } from './provider/ledger.js'
import { providerClient } from './provider/provider.js'

/**
 * What the page learns about the sandbox: the control address of the provider, and the account that the page offers
 * to the reseller.
 *
 * @typedef {{ provider?: string, account?: string }} Sandbox
 */

const chats = chat()
showViews()
showProvider()

async function showProvider() {
  /** @type {Sandbox} */
  const sandbox = await request('GET', '/_sim/sandbox').catch(() => ({}))
  if (!sandbox.provider) {
    byId('app').classList.add('without-provider')
    return
  }
  const provider = providerClient(sandbox.provider)
  const panel = ledger(provider)
  provider.follow({ load: async () => draw(await provider.state()), apply: draw, status: panel.connection })

  /** @param {ProviderState} state */
  function draw(state) {
    panel.draw(state, sandbox.account)
    chats.offer({
      account: state.accounts.find(({ id }) => id === sandbox.account) ?? state.accounts[0],
      orders: state.orders,
    })
  }
}

/** In a narrow window, either the chat or the provider is shown. */
function showViews() {
  const views = byId('views')
  moveByArrows(views)
  views.addEventListener('click', (event) => {
    const tab = /** @type {HTMLElement} */ (event.target).closest('[data-view]')
    if (tab) choose(tab.getAttribute('data-view') ?? 'chat')
  })
  choose('chat')

  /** @param {string} view */
  function choose(view) {
    byId('app').setAttribute('data-view', view)
    chooseTab(views, (tab) => tab.getAttribute('data-view') === view)
  }
}

addEventListener('unhandledrejection', (event) =>
  toast(`Something went wrong: ${event.reason?.message ?? event.reason}`),
)
