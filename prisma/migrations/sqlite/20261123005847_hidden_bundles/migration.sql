-- CreateTable
CREATE TABLE "HiddenBundle" (
    "accountId" TEXT NOT NULL,
    "bundleId" INTEGER NOT NULL,

    PRIMARY KEY ("accountId", "bundleId")
);
