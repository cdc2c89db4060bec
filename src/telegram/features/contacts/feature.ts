import { isList, recognize, standsForItself } from '../../../lists/recognition.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import type { Handler } from '../../chat/handler.ts'
import { readReference } from '../../chat/reference.ts'
import type { Feature } from '../feature.ts'
import { type HandlerFor, member, toastNotYours } from '../guards/guards.ts'
import { orderByName } from './contact-order.ts'
import type { Owner } from './contact-screens.ts'
import { openByName, pressContacts, showContacts } from './contacts.ts'
import { isForNames, takeAnswer, takeContact, takeFile, takeNamedNumber } from './saving-contacts.ts'

/** A handler for members, which also receives their contact book. */
const withBook = <What>(run: HandlerFor<Owner, What>, refuse?: Handler): Handler<What> =>
  member((ctx, person, what) => run(ctx, { person, book: bookOf(person) }, what), refuse)

/** Contacts: saved numbers with names. */
export const contacts = {
  commands: {
    customers: { run: withBook(showContacts), onlyShows: true },
  },
  presses: {
    contacts: withBook(pressContacts, toastNotYours),
  },
  questions: {
    contact: {
      endsFor: (text, question) => {
        if (question.ask.act === 'number' && recognize(text).kind !== 'number') return true
        if (readReference(text)) return true
        return standsForItself(text) && !(isForNames(question) && isList(text))
      },
      text: withBook(takeAnswer),
      takesForwarded: isForNames,
      file: takeFile,
    },
  },
  texts: { order_by_name: orderByName, name: openByName, named_number: takeNamedNumber },
  contact: withBook(takeContact),
} satisfies Feature
