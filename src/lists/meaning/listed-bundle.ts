import type { Bundle } from '../../provider/bundle.ts'
import type { Pesewas } from '../../provider/money.ts'

/** A bundle as its buyer sees it. The price is null if the buyer may not see it. */
export type ListedBundle = Omit<Bundle, 'pricePesewas'> & { pricePesewas: Pesewas | null }
