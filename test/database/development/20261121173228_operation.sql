-- AlterTable
ALTER TABLE "Chat" ADD COLUMN "blockedAt" DATETIME;

-- AlterTable
ALTER TABLE "Order" ADD COLUMN "reducedAt" DATETIME;

-- CreateTable
CREATE TABLE "Bucket" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "fullAtMs" BIGINT NOT NULL
);

-- CreateIndex
CREATE INDEX "Order_reducedAt_createdAt_idx" ON "Order"("reducedAt", "createdAt");
