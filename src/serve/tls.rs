//! Encryption: a certificate that the user gives, or one of our own authority, which is made once and kept.
//!
//! Decision: the authority's key stays in the data folder, readable by its owner alone; the server's own certificate is made anew at
//! each start, for the names it is reached by then. So a phone has to trust the authority once, and a new address needs no new trust.

use std::fs;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};
use sha2::{Digest, Sha256};
use time::{Duration, OffsetDateTime};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto};

use crate::api::door::write_private;

/// The authority's certificate and key in the data folder.
const AUTHORITY: &str = "authority.pem";
const AUTHORITY_KEY: &str = "authority-key.pem";
/// What phones accept of a certificate that is no public one, with a little to spare.
const LIFE: Duration = Duration::days(397);
const AUTHORITY_LIFE: Duration = Duration::days(3_650);

/// What encrypts, and the authority that a phone has to trust, where it is ours.
pub struct Tls {
    pub acceptor: TlsAcceptor,
    pub authority: Option<Authority>,
}

/// Our own authority.
#[derive(Clone, Debug)]
pub struct Authority {
    /// Its certificate, DER.
    pub der: Vec<u8>,
    /// SHA-256 of that: "AB:CD:…".
    pub fingerprint: String,
}

impl Tls {
    /// Takes a certificate with its chain, and its key, both PEM.
    pub fn of_files(cert: &Path, key: &Path) -> Result<Self, String> {
        let unread = |path: &Path, error: &dyn std::fmt::Display| format!("{} cannot be read as PEM: {error}.", path.display());
        let chain = CertificateDer::pem_file_iter(cert).and_then(Iterator::collect).map_err(|error| unread(cert, &error))?;
        let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| unread(key, &error))?;
        Ok(Self { acceptor: acceptor(chain, secret)?, authority: None })
    }

    /// A certificate of our own authority for these names and addresses.
    pub fn own(data: &Path, names: &[String]) -> Result<Self, String> {
        let (der, key) = authority(data)?;
        let failed = |error: rcgen::Error| format!("A certificate cannot be made: {error}.");
        let leaf_key = KeyPair::generate().map_err(failed)?;
        let mut params = CertificateParams::new(names).map_err(failed)?;
        params.distinguished_name = named("Sidedeck");
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        // A clock that is a little behind finds it good too.
        params.not_before = OffsetDateTime::now_utc() - Duration::DAY;
        params.not_after = params.not_before + LIFE;
        let leaf = params.signed_by(&leaf_key, &Issuer::new(authority_params(), key)).map_err(failed)?;
        let secret = PrivatePkcs8KeyDer::from(leaf_key.serialize_der());
        let acceptor = acceptor(vec![leaf.der().clone(), CertificateDer::from(der.clone())], secret.into())?;
        let hex = Sha256::digest(&der).iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>();
        Ok(Self { acceptor, authority: Some(Authority { der, fingerprint: hex.join(":") }) })
    }
}

fn acceptor(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Result<TlsAcceptor, String> {
    let config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(chain, key))
        .map_err(|error| format!("The certificate and its key cannot be used: {error}."))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// The kept authority, made if there is none.
fn authority(data: &Path) -> Result<(Vec<u8>, KeyPair), String> {
    let (cert, secret) = (data.join(AUTHORITY), data.join(AUTHORITY_KEY));
    let failed = |error: &dyn std::fmt::Display| format!("The certificate authority in {} cannot be used: {error}.", data.display());
    if secret.exists() && cert.exists() {
        crate::api::door::narrow(&secret).map_err(|error| failed(&error))?;
        let key = fs::read_to_string(&secret).map_err(|error| failed(&error))?;
        let der = CertificateDer::from_pem_file(&cert).map_err(|error| failed(&error))?;
        return Ok((der.to_vec(), KeyPair::from_pem(&key).map_err(|error| failed(&error))?));
    }
    let key = KeyPair::generate().map_err(|error| failed(&error))?;
    let mut params = authority_params();
    params.not_before = OffsetDateTime::now_utc() - Duration::DAY;
    params.not_after = params.not_before + AUTHORITY_LIFE;
    let made = params.self_signed(&key).map_err(|error| failed(&error))?;
    write_private(&secret, key.serialize_pem().as_bytes()).map_err(|error| failed(&error))?;
    write_private(&cert, made.pem().as_bytes()).map_err(|error| failed(&error))?;
    Ok((made.der().to_vec(), key))
}

fn authority_params() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = named("Sidedeck on this machine");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn named(name: &str) -> DistinguishedName {
    let mut names = DistinguishedName::new();
    names.push(DnType::CommonName, name);
    names
}

/// The address by which this machine reaches others, as far as it knows; nothing is sent.
pub fn own_address() -> Option<IpAddr> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    socket.local_addr().ok().map(|addr| addr.ip()).filter(|ip| !ip.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_authority_is_made_once_and_its_key_is_private() {
        let data = tempfile::tempdir().expect("a folder");
        let fingerprint = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            Tls::own(data.path(), &names).expect("a certificate").authority.expect("ours").fingerprint
        };
        let first = fingerprint(&["localhost", "192.168.1.5"]);
        assert_eq!(first, fingerprint(&["deck.example"]), "a new address needs no new trust");
        assert_eq!(first.len(), 32 * 3 - 1);
        for file in [AUTHORITY, AUTHORITY_KEY] {
            assert_eq!(fs::metadata(data.path().join(file)).expect("a file").permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn what_is_no_certificate_is_told() {
        let data = tempfile::tempdir().expect("a folder");
        let file = data.path().join("x.pem");
        fs::write(&file, "no PEM").expect("a file");
        assert!(Tls::of_files(&file, &file).err().expect("an error").contains("x.pem"));
        assert!(Tls::of_files(&data.path().join("none"), &file).is_err());
    }
}
