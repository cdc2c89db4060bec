import type { ActOf } from '../buttons/table.ts'
import { button, type Screen } from '../chat/screen.ts'
import { complaintLabels, notSent } from './words/complaint.ts'

/** What replaces the question for a picture if the person did something else. Its button asks again. */
export const unsentComplaint = ({
  orderId,
  position,
  kind,
}: Omit<Extract<ActOf<'complaint'>, { act: 'picture' }>, 'act'>): Screen => ({
  text: notSent,
  rows: [
    [
      button(complaintLabels.goOn, {
        do: 'complaint',
        act: { act: 'picture', orderId, position, kind },
      }),
    ],
  ],
})
