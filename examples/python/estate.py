"""An environment from nothing: a replication set of two new clusters, policies, a managed key, and a snapshot every hour."""

from cdktf import TerraformStack
from cdktf_vault_admin import (
    AclPolicy,
    AutoSnapshot,
    Capability,
    Duration,
    KeySpec,
    ManagedKey,
    ManagedKeyBackend,
    ManagedKeyUsage,
    PathsFilter,
    PerfReplicationPair,
    Pkcs11Mechanism,
    PolicyStatement,
    Size,
    SnapshotStorage,
    VaultCluster,
    ResourceProvider,
    VaultSecret,
)
from constructs import Construct


class Estate(TerraformStack):
    """The clusters ``us`` and ``eu``, and everything on them."""

    def __init__(self, scope: Construct, id: str, *, snapshots: str) -> None:
        """:param snapshots: the directory for snapshots, on the server."""
        super().__init__(scope, id)
        us, eu = (
            VaultCluster(self, f"Cluster-{name}", name=name, resource_provider=ResourceProvider.VAULTADMIN)
            for name in ("us", "eu")
        )

        pair = PerfReplicationPair(
            self,
            "Pair",
            clusters=[us, eu],
            primary=us,
            # The filter is there before the mount is: nothing of it is ever sent.
            paths_filters={"eu": PathsFilter.deny(["us-only/"])},
        )

        deployer = AclPolicy(
            self,
            "Deployer",
            cluster=us,
            policy_name="deployer",
            statements=[
                PolicyStatement(
                    paths=["secret/data/app/*"],
                    capabilities=[Capability.CREATE, Capability.UPDATE],
                ),
            ],
        )
        reader = AclPolicy(
            self,
            "Reader",
            cluster=us,
            policy_name="reader",
            statements=[PolicyStatement(paths=["secret/data/app/*"], capabilities=[Capability.READ])],
        )

        signing = ManagedKey(
            self,
            "Signing",
            cluster=us,
            key_name="signing",
            backend=ManagedKeyBackend.pkcs11(
                library="hsm",
                slot="0",
                pin=VaultSecret.from_variable("hsm_pin"),
                key_label="signing",
                mechanism=Pkcs11Mechanism.RSA_PKCS_PSS,
                key_spec=KeySpec.rsa(2048),
            ),
            usages=[ManagedKeyUsage.SIGN, ManagedKeyUsage.VERIFY],
            allow_generate_key=True,
        )
        signing.grant_test_sign(deployer)

        hourly = AutoSnapshot(
            self,
            "Hourly",
            cluster=us,
            snapshot_name="hourly",
            interval=Duration.hours(1),
            retain=24,
            storage=SnapshotStorage.local(max_space=Size.gibibytes(1)),
            path_prefix=snapshots,
        )

        # What is written once the pair is there gets to both clusters.
        for construct in (deployer, reader, signing, hourly):
            construct.node.add_dependency(pair)
