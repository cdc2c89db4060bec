-- AlterTable
ALTER TABLE "Order" ADD COLUMN "otherReference" TEXT;

-- CreateIndex
CREATE INDEX "Order_otherReference_idx" ON "Order"("otherReference");
