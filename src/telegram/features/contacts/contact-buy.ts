import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { UsualBundle } from '../../../shop/habit.ts'
import type { Contact } from '../../../store/shop/contacts.ts'
import { contactLabels } from '../../cards/words/contact.ts'
import type { BotContext } from '../../chat/context.ts'
import { type Button, button, type Screen } from '../../chat/screen.ts'
import { labels } from '../../words/labels.ts'
import { bundleLabel, networksScreen } from '../buying/bundle-screens.ts'
import { withPrices } from '../buying/priced-bundles.ts'
import { contactsButton } from './contacts-button.ts'
import * as words from './words.ts'

/** How many usual bundles have a button. */
const maxUsual = 3

interface ForContact {
  person: Person
  contact: Contact
  /** The contact's earlier bundles, the most frequent first. */
  usual: readonly UsualBundle[]
}

/** `Buy` on a contact's screen: offers the usual bundles at today's price, and a button to all others. */
export const offerUsual = (ctx: BotContext, { person, contact, usual }: ForContact): void => {
  const back = contactsButton(labels.back, { act: 'open', id: contact.id })
  const { phone } = contact
  if (usual.length === 0) {
    const { text, rows = [] } = networksScreen(words.chooseNetworkFor(contact), phone)
    ctx.talk.show({ text, rows: [...rows.slice(0, -1), [back]] })
    return
  }
  withPrices(ctx, person, async (bundles) => {
    ctx.talk.show(usualScreen(bundles, { person, contact, usual }, back))
  })
}

const usualScreen = (bundles: ListedBundle[], { contact, usual }: ForContact, back: Button): Screen => {
  const { phone } = contact
  const sold = usual.flatMap(({ bundleId }) => bundles.find(({ id }) => id === bundleId) ?? [])
  const usualButtons = sold.slice(0, maxUsual).map((bundle) => {
    return [
      button(`${bundle.network} ${bundleLabel(bundle, bundles)}`, { do: 'keep', bundleId: bundle.id, phone }),
    ]
  })
  const network = usual[0]?.network ?? ''
  return {
    text: words.chooseUsual(contact, sold.length > 0),
    rows: [
      ...usualButtons,
      [
        button(words.otherOf(network), { do: 'bundles_for', network, phone, page: 0 }),
        button(contactLabels.otherNetwork, { do: 'networks_for', phone }),
      ],
      [back],
    ],
  }
}
